-- Version 2 on PostgreSQL: a chat memory has a row for each message, so that a message is added without writing the others again.

CREATE TABLE holdpoint_chat_message (
    memory_id VARCHAR(255) NOT NULL,
    position BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (memory_id, position)
);

-- a memory that is no JSON becomes one message that cannot be read
DO $$ DECLARE m RECORD; BEGIN FOR m IN SELECT memory_id, messages FROM holdpoint_chat_memory LOOP
    BEGIN INSERT INTO holdpoint_chat_message
        SELECT m.memory_id, e.position, e.body::text
        FROM json_array_elements(m.messages::json) WITH ORDINALITY AS e(body, position); EXCEPTION WHEN OTHERS THEN
        INSERT INTO holdpoint_chat_message VALUES (m.memory_id, 1, m.messages); END; END LOOP; END $$;

ALTER TABLE holdpoint_chat_memory DROP COLUMN messages;

-- another number after each write
ALTER TABLE holdpoint_chat_memory ADD COLUMN stamp BIGINT DEFAULT 1 NOT NULL;
