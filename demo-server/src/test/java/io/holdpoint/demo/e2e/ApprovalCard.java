package io.holdpoint.demo.e2e;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** An open question on the page. */
record ApprovalCard(Locator root) {

    /** Unfolds the card if others are to be decided before it. */
    ApprovalCard open() {
        if (root.getAttribute("class").contains("folded")) {
            root.locator(".card-head").getByRole(AriaRole.BUTTON).click();
        }
        return this;
    }

    /** Scrolls until all of it was on the screen, and approves. */
    void approve() {
        open().button("Approve").click();
    }

    /** Scrolls on until all of it was on the screen. */
    ApprovalCard readOn() {
        root.scrollIntoViewIfNeeded();
        root.evaluate("""
                async (card) => {
                  for (let more, looks = 0; looks < 500 && (more = card.querySelector('.more:not([hidden])')); looks++) {
                    if (more.textContent !== '\u2026') more.click();
                    await new Promise((looked) => requestAnimationFrame(() => setTimeout(looked)));
                  }
                }""");
        return this;
    }

    void deny(String reason) {
        open().button("Deny…").click();
        field("Reason, for the agent (optional)").fill(reason);
        button("Deny").click();
    }

    void openEditor() {
        open().button("Edit…").click();
    }

    Locator field(String label) {
        return root.getByLabel(label, new Locator.GetByLabelOptions().setExact(true));
    }

    Locator radio(String label) {
        return root.getByRole(
                AriaRole.RADIO, new Locator.GetByRoleOptions().setName(label).setExact(true));
    }

    /** The button that sends the form, which says how much was changed. */
    Locator editsButton() {
        return root.locator("button[type=submit]");
    }

    void approveWithEdits() {
        readOn();
        settle();
        root.getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(Pattern.compile("^Approve with \\d+ changes?$")))
                .click();
    }

    /** A button as a person finds it, who reads on until that for a decision is there, and presses none that moves. */
    Locator button(String name) {
        if (root.count() == 1) {
            if (name.startsWith("Approve") || name.equals("Answer")) {
                readOn();
            }
            settle();
        }
        return unread(name);
    }

    /** Waits until the row of buttons is on the screen and stands still, if there is one. */
    private void settle() {
        root.evaluate("""
                async (card) => {
                  const row = card.querySelector('.actions');
                  row?.scrollIntoView({ block: 'nearest' });
                  for (let looks = 0; looks < 500 && (looks < 2 || row?.hasAttribute('aria-disabled')) && row?.offsetParent; looks++) {
                    await new Promise((looked) => requestAnimationFrame(() => setTimeout(looked)));
                  }
                }""");
    }

    /** A button as it is now. */
    Locator unread(String name) {
        return root.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Takes a decision back that was not sent yet. */
    void change() {
        root.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(Pattern.compile("^Change: ")))
                .click();
    }

    Locator question() {
        return root.locator(".question");
    }

    /** The arguments by their names, in the order in which they are shown, as the characters that they are shown with; what must still hold comes later. */
    Map<String, String> arguments() {
        List<Locator> names =
                root.locator(".arguments").first().locator("> dl > dt").all();
        List<String> values =
                root.locator(".arguments").first().locator("> dl > dd").allTextContents();
        Map<String, String> arguments = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            arguments.put(names.get(i).getAttribute("data-name"), values.get(i));
        }
        return arguments;
    }
}
