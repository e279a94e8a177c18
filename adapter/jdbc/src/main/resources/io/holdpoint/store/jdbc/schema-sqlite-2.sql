-- Version 2 on SQLite: a chat memory has a row for each message, so that a message is added without writing the others again.

CREATE TABLE holdpoint_chat_message (
    memory_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (memory_id, position)
);

-- a memory that is no JSON becomes one message that cannot be read
INSERT INTO holdpoint_chat_message
    SELECT m.memory_id, e.key, CASE WHEN json_valid(m.messages) THEN e.value ELSE m.messages END
    FROM holdpoint_chat_memory m,
        json_each(CASE WHEN json_valid(m.messages) THEN m.messages ELSE '["unreadable"]' END) e;

ALTER TABLE holdpoint_chat_memory DROP COLUMN messages;

-- another number after each write
ALTER TABLE holdpoint_chat_memory ADD COLUMN stamp INTEGER DEFAULT 1 NOT NULL;
