package io.holdpoint.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list of advisories is compared with what is shipped, and can be renewed. */
class AdvisoriesTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void aVersionWithAKnownAdvisoryIsFound() throws IOException {
        assertThat(Advisories.read().against(List.of(bill("pkg:maven/org.mvnpm/dompurify@3.3.3?type=jar"))))
                .anySatisfy(sentence -> assertThat(sentence)
                        .startsWith("pkg:npm/dompurify 3.3.3 is affected by CVE-2026-41238")
                        .contains("\"before\":\"3.4.0\""));
    }

    @Test
    void aMendedVersionAndAnotherLineAreNot() throws IOException {
        assertThat(Advisories.read()
                        .against(List.of(bill(
                                "pkg:maven/org.mvnpm/dompurify@3.4.15?type=jar",
                                "pkg:maven/com.fasterxml.jackson.core/jackson-databind@2.22.4?type=jar"))))
                .isEmpty();
    }

    @Test
    void whatIsAcceptedIsAcceptedForItsVersionOnly() throws IOException {
        Advisories advisories = new Advisories((ObjectNode) JSON.readTree("""
                {"accepted": [{"id": "CVE-1", "version": "1.5.34", "because": "nothing here reads such a file"}],
                 "advisories": [{"id": "CVE-1", "package": "pkg:maven/a/b", "affected": [{"from": "0", "to": "1.5.35"}]}]}"""));

        assertThat(advisories.against(List.of(bill("pkg:maven/a/b@1.5.34")))).isEmpty();
        assertThat(advisories.against(List.of(bill("pkg:maven/a/b@1.5.35")))).hasSize(1);
        assertThat(advisories.against(List.of(bill("pkg:maven/a/b@1.5.36")))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2.9.1, 2.10", "1.0-beta2, 1.0", "1.12.2-beta22, 1.12.3", "1.0-alpha, 1.0-beta", "0, 1.0-rc1"})
    void versionsAreOrdered(String older, String newer) {
        assertThat(Advisories.compare(older, newer)).isNegative();
        assertThat(Advisories.compare(newer, older)).isPositive();
        assertThat(Advisories.compare(newer, newer + ".0")).isZero();
    }

    @Test
    void aListIsRenewedFromAdvisoriesInOsvsFormat(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("GHSA-1.json"), """
                {"id": "GHSA-1", "aliases": ["CVE-2026-1"], "published": "2026-11-01T00:00:00Z", "affected": [
                  {"package": {"ecosystem": "Maven", "name": "a:b"},
                   "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "2.0"}, {"fixed": "2.3"}]}]},
                  {"package": {"ecosystem": "Maven", "name": "a:b"},
                   "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "3.0"}, {"last_affected": "3.1"}]}]},
                  {"package": {"ecosystem": "npm", "name": "not-shipped"}, "ranges": []}]}""");
        Files.writeString(folder.resolve("GHSA-2.json"), """
                {"id": "GHSA-2", "published": "2009-01-01T00:00:00Z", "affected": [
                  {"package": {"ecosystem": "Maven", "name": "a:b"}, "ranges": []}]}""");
        Advisories before = new Advisories((ObjectNode) JSON.readTree("""
                {"accepted": [{"id": "CVE-9", "version": "1", "because": "why"}], "advisories": [
                  {"id": "AIKIDO-1", "package": "pkg:npm/c", "affected": []},
                  {"id": "CVE-2025-1", "package": "pkg:npm/c", "affected": []}]}"""));

        Advisories renewed = Advisories.renewed(
                before, List.of(bill("pkg:maven/a/b@2.1?type=jar")), folder, LocalDate.of(2026, 11, 28));

        assertThat(JSON.readTree(renewed.text())).isEqualTo(JSON.readTree("""
                                {"read": "2026-11-28", "accepted": [{"id": "CVE-9", "version": "1", "because": "why"}], "advisories": [
                                  {"id": "CVE-2026-1", "package": "pkg:maven/a/b",
                                   "affected": [{"from": "2.0", "before": "2.3"}, {"from": "3.0", "to": "3.1"}]},
                                  {"id": "AIKIDO-1", "package": "pkg:npm/c", "affected": []}]}"""));
        assertThat(renewed.against(List.of(bill("pkg:maven/a/b@2.1?type=jar")))).hasSize(1);
    }

    private static JsonNode bill(String... purls) {
        ObjectNode bill = JSON.createObjectNode();
        for (String purl : purls) {
            bill.withArray("components").addObject().put("purl", purl);
        }
        return bill;
    }
}
