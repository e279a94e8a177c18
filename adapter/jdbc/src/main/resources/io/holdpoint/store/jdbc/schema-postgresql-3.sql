-- Version 3 on PostgreSQL: the end of a transcript may be cut off, and stays beside it.

-- the run that appended the message; NULL: by an earlier version
ALTER TABLE holdpoint_message ADD COLUMN run_id VARCHAR(255);

-- the run that cut the message off; NULL: the transcript has it
ALTER TABLE holdpoint_message ADD COLUMN cut_by VARCHAR(255);
