package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the concepts of what can stop a run names every reason that the code can give, and no other. */
class WhatStopsARunTest {

    /** Of the interrupts that applications raise. */
    private static final String OWN = "the tool's own";

    private static final Path DOCUMENT = Path.of("..", "..", "docs", "concepts.md");
    private static final Path SOURCES = Path.of("..", "..", "core", "src", "main", "java");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern REASON =
            Pattern.compile("\"(tool_call|input_required|confirmation|langchain4j:\\w+)\"");
    private static final Pattern LINK = Pattern.compile("\\[[^]]+]\\([^)]+\\)");

    private record Row(List<String> cells) {

        static Row of(String line) {
            return new Row(List.of(line.substring(1).split("(?<!\\\\)\\|")).stream()
                    .map(String::strip)
                    .toList());
        }
    }

    @Test
    void everyReasonHasARow() throws IOException {
        Set<String> asked = reasons();
        asked.add(OWN);

        assertThat(rows())
                .extracting(row -> row.cells().get(1).replace("`", ""))
                .hasSameElementsAs(asked);
    }

    @Test
    void everyRowSaysWhatStopsWhatToAnswerAndWhereToReadOn() throws IOException {
        assertThat(rows()).hasSizeGreaterThan(3).allSatisfy(row -> {
            assertThat(row.cells()).hasSize(4).doesNotContain("");
            assertThat(row.cells().get(3)).containsPattern(LINK);
        });
    }

    private static List<Row> rows() throws IOException {
        String readme = Files.readString(DOCUMENT);
        String section = readme.substring(readme.indexOf("\n## What can stop a run\n"));
        Matcher table =
                Pattern.compile("\\|---\\|---\\|---\\|---\\|\\n((?:\\|.*\\n)+)").matcher(section);
        assertThat(table.find()).isTrue();
        return table.group(1).lines().map(Row::of).toList();
    }

    private static Set<String> reasons() throws IOException {
        Set<String> reasons = new HashSet<>();
        try (Stream<Path> sources = Files.walk(SOURCES)) {
            for (Path source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
                REASON.matcher(code).results().forEach(found -> reasons.add(found.group(1)));
            }
        }
        return reasons;
    }
}
