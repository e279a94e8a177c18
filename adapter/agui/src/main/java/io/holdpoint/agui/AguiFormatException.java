package io.holdpoint.agui;

/**
 * A problem of JSON that breaks the rules of AG-UI. The message names the field by its path and the remedy, as in
 * {@code messages[2].id: required, a string}; it is fit to be shown to the client that sent the JSON.
 */
public class AguiFormatException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the path of the field and the remedy. */
    public AguiFormatException(String message) {
        super(message);
    }

    /** Creates it with the failure of the JSON parser. */
    public AguiFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
