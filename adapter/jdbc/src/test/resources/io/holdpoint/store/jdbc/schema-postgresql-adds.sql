ALTER TABLE holdpoint_thread ADD COLUMN added_for_a_test TEXT;
