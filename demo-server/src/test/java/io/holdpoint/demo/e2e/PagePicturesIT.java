package io.holdpoint.demo.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.Clip;
import com.microsoft.playwright.options.ColorScheme;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Takes pictures of the page, to be looked at, below {@code target/pictures}. With {@code -Ddocs.pictures=true} those of a card
 * and the recording replace the README's, in {@code adapter/docs/images}.
 */
@ExtendWith(PageExtension.class)
@InTurns
class PagePicturesIT {

    private static final Path PICTURES = DemoProcess.buildDirectory().resolve("pictures");
    private static final Path DOCS = Path.of("..", "adapter", "docs", "images");
    private static final int MARGIN = 24;

    /** The folder of the pictures that the documents show, or that of pictures to be looked at. */
    static Path folder() {
        return Boolean.getBoolean("docs.pictures") ? DOCS : PICTURES;
    }

    private static int[] widths(ColorScheme scheme) {
        boolean all = PageExtension.ALL || Boolean.getBoolean("docs.pictures");
        return all ? new int[] {1440, 375} : new int[] {scheme == ColorScheme.LIGHT ? 1440 : 375};
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void ofEachState(ColorScheme scheme, Chromium chromium, DemoPage running) {
        String theme = scheme.name().toLowerCase(Locale.ROOT);
        for (int width : widths(scheme)) {
            try (BrowserContext context = context(chromium, scheme, width, 1)) {
                Page page = context.newPage();
                page.navigate(running.page().url());
                picture(page, "empty", width, theme);
                say(page, "Write to Ada that the meeting moved to Friday");
                picture(page, "approval", width, theme);
                page.getByText("Edit…").click();
                page.getByLabel("Subject line").fill("The meeting moved to Monday");
                picture(page, "edit", width, theme);
                page.getByText("Approve with 1 change").click();
                picture(page, "executed", width, theme);
                say(page, "Send an email to ada@example.com and bob@example.com and transfer 200 to Carol");
                picture(page, "several", width, theme);
                page.getByText("Deny all").click();
                picture(page, "decided", width, theme);
                page.getByText("Send 3 answers").click();
                say(page, "Delete the inactive records from customers");
                picture(page, "preview", width, theme);
                page.navigate(running.page().url() + "inbox");
                picture(page, "inbox", width, theme);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void ofACardForTheReadme(ColorScheme scheme, Chromium chromium, DemoPage running) {
        try (BrowserContext context = context(chromium, scheme, 1100, 2)) {
            Page page = context.newPage();
            page.navigate(running.page().url());
            say(page, "Transfer 500 to Bob");
            Locator card = page.locator(".card");
            card.getByText("Edit…").click();
            page.getByLabel("Amount in euros").fill("5");
            page.getByLabel("Amount in euros").blur();
            page.evaluate(
                    "() => document.querySelectorAll('.message > .text, #status').forEach((each) => each.style.opacity = 0)");
            BoundingBox box = card.boundingBox();
            String name = "card-" + scheme.name().toLowerCase(Locale.ROOT) + ".png";
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(folder().resolve(name))
                    .setClip(
                            new Clip(box.x - MARGIN, box.y - MARGIN, box.width + 2 * MARGIN, box.height + 2 * MARGIN)));
        }
    }

    /** A card with all that it tells, in English and in Arabic, and several with the bar and what was decided, for the card's README. */
    @Test
    void ofTheElements(BarePage theirs) {
        Page page = theirs.ready();
        page.setViewportSize(640, 900);
        page.evaluate(
                "const sheet = new CSSStyleSheet(); sheet.replaceSync(':root { color-scheme: light dark } body { margin: 24px } h1, [slot] { display: none }');"
                        + " document.adoptedStyleSheets = [sheet]; document.querySelector('main').ariaLabel = 'Cards'");
        page.evaluate("(" + CardStoryIT.ASK + ")({ reversibility: 'irreversible' })");
        elements(page, "card-story.png");
        page.setViewportSize(390, 900);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        page.evaluate("document.documentElement.lang = 'ar'; document.dir = 'rtl'; card.lang = 'ar'");
        page.locator("holdpoint-card .card:not(.loading)").waitFor();
        elements(page, "card-arabic.png");
        page.setViewportSize(640, 900);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        page.evaluate("document.documentElement.lang = 'en'; document.dir = 'ltr'");
        page.evaluate(CardsElementIT.CARDS);
        page.evaluate("""
                cards.interrupts = ['Grace', 'Henry', 'Olga'].map((to, i) => ({ ...ask(to)[0], message: `Transfer ${(i + 2) * 100} euros to "${to}"?`,
                  metadata: { langchain4j: { toolName: 'transferMoney', args: { amount: (i + 2) * 100, to } } } }));
                for (const [by, ran, answer] of [['henry', 5], ['grace'], ['you', undefined, { payload: { approved: false } }]]) {
                  const call = document.createElement('holdpoint-call');
                  call.setAttribute('by', by);
                  call.answer = answer;
                  call.result = { content: 'Paid', metadata: { langchain4j: ran ? { edited: true, executedArgs: { amount: ran, to: 'Bob' } } : {} } };
                  call.call = { id: by, function: { name: 'transferMoney', arguments: '{"amount":500,"to":"Bob"}' } };
                  document.querySelector('main').append(call);
                }""");
        new ApprovalCard(page.locator("holdpoint-card .card").first()).approve();
        page.evaluate("document.activeElement.blur()");
        elements(page, "cards.png");
    }

    private static void elements(Page page, String name) {
        page.locator("holdpoint-card .actions:not([aria-disabled]):visible")
                .first()
                .waitFor();
        page.setViewportSize(page.viewportSize().width, 1200);
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(folder().resolve(name))
                .setClip(
                        0,
                        0,
                        page.viewportSize().width,
                        ((Number) page.evaluate("document.querySelector('main').getBoundingClientRect().bottom + 24"))
                                .doubleValue()));
    }

    /** The README's recording, {@code recording.gif}: twelve seconds. */
    @Test
    void ofACallThatOutlivesItsServer(Chromium chromium, @TempDir Path folder) throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("JDBC_URL", "jdbc:sqlite:" + folder.resolve("demo.db")));
        List<byte[]> frames = new ArrayList<>();
        try (BrowserContext context = context(chromium, ColorScheme.LIGHT, 800, 1)) {
            Page page = context.newPage();
            page.setViewportSize(800, 560);
            try (DemoProcess demo = DemoProcess.start(environment)) {
                environment.put("PORT", "" + demo.url().getPort());
                page.navigate(demo.url() + "/");
                page.locator("#message").fill("Transfer 500 to Bob");
                frames.add(page.screenshot());
                say(page, "Transfer 500 to Bob");
                assertThat(page.locator("body[data-state=idle]")).hasCount(1);
                frames.add(page.screenshot());
                demo.kill();
            }
            assertThat(page.locator("#lost")).isVisible();
            frames.add(page.screenshot());
            try (DemoProcess again = DemoProcess.start(environment)) {
                Assertions.assertThat(page.url()).startsWith(again.url().toString());
                assertThat(page.locator("#lost")).isHidden();
                frames.add(page.screenshot());
                page.getByText("Edit…").click();
                frames.add(page.screenshot());
                page.getByLabel("Amount in euros").fill("5");
                frames.add(page.screenshot());
                page.getByText("Approve with 1 change").click();
                assertThat(page.locator(".message.assistant").last()).containsText("Transferred 5 euros to Bob");
                assertThat(page.locator("body[data-state=idle]")).hasCount(1);
                frames.add(page.screenshot());
            }
        }
        Path recording = folder().resolve("recording.gif");
        writeAnimation(frames, recording);
        Assertions.assertThat(Files.size(recording)).isBetween(10_000L, 500_000L);
    }

    /** Each picture for 1.7 seconds, over and over. */
    private static void writeAnimation(List<byte[]> pictures, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (OutputStream stream = Files.newOutputStream(file);
                ImageOutputStream out = ImageIO.createImageOutputStream(stream)) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            for (byte[] picture : pictures) {
                BufferedImage image = ImageIO.read(new ByteArrayInputStream(picture));
                IIOMetadata metadata =
                        writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image), null);
                IIOMetadataNode root = new IIOMetadataNode(metadata.getNativeMetadataFormatName());
                IIOMetadataNode control = new IIOMetadataNode("GraphicControlExtension");
                Map.of("disposalMethod", "none", "delayTime", "170", "transparentColorIndex", "0")
                        .forEach(control::setAttribute);
                control.setAttribute("userInputFlag", "FALSE");
                control.setAttribute("transparentColorFlag", "FALSE");
                IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
                loop.setAttribute("applicationID", "NETSCAPE");
                loop.setAttribute("authenticationCode", "2.0");
                loop.setUserObject(new byte[] {1, 0, 0});
                IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
                extensions.appendChild(loop);
                root.appendChild(control);
                root.appendChild(extensions);
                metadata.mergeTree(root.getNodeName(), root);
                writer.writeToSequence(new IIOImage(image, null, metadata), null);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    private static BrowserContext context(Chromium chromium, ColorScheme scheme, int width, int scale) {
        BrowserContext context = chromium.browser()
                .newContext(new Browser.NewContextOptions()
                        .setColorScheme(scheme)
                        .setViewportSize(width, width < 500 ? 812 : 900)
                        .setDeviceScaleFactor(scale));
        context.setDefaultTimeout(PageExtension.PATIENCE.toMillis());
        return context;
    }

    private static void say(Page page, String text) {
        page.getByLabel("Message", new Page.GetByLabelOptions().setExact(true)).fill(text);
        page.locator("#send").click();
        assertThat(page.locator(".card").first()).isVisible();
    }

    private static void picture(Page page, String state, int width, String theme) {
        assertThat(page.locator("body[data-state=idle]")).hasCount(1);
        page.screenshot(
                new Page.ScreenshotOptions().setPath(PICTURES.resolve(state + "-" + width + "-" + theme + ".png")));
    }
}
