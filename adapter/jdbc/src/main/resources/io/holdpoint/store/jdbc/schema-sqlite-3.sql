-- Version 3 on SQLite: the end of a transcript may be cut off, and stays beside it.

-- the run that appended the message; NULL: by an earlier version
ALTER TABLE holdpoint_message ADD COLUMN run_id TEXT;

-- the run that cut the message off; NULL: the transcript has it
ALTER TABLE holdpoint_message ADD COLUMN cut_by TEXT;
