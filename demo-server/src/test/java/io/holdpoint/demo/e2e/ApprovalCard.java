package io.holdpoint.demo.e2e;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An open question on the page. */
record ApprovalCard(Locator root) {

    void approve() {
        button("Approve").click();
    }

    void deny(String reason) {
        button("Deny…").click();
        field("Reason, for the agent (optional)").fill(reason);
        button("Deny").click();
    }

    void openEditor() {
        button("Edit…").click();
    }

    Locator field(String label) {
        return root.getByLabel(label, new Locator.GetByLabelOptions().setExact(true));
    }

    Locator radio(String label) {
        return root.getByRole(
                AriaRole.RADIO, new Locator.GetByRoleOptions().setName(label).setExact(true));
    }

    void approveWithEdits() {
        button("Approve with edits").click();
    }

    Locator button(String name) {
        return root.getByRole(
                AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator question() {
        return root.locator(".question");
    }

    /** The arguments by name, in the order in which they are shown, as the characters that they are shown with. */
    Map<String, String> arguments() {
        List<String> names = root.locator(".arguments dl > dt").allTextContents();
        List<String> values = root.locator(".arguments dl > dd").allTextContents();
        Map<String, String> arguments = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            arguments.put(names.get(i), values.get(i));
        }
        return arguments;
    }
}
