ALTER TABLE holdpoint_message ADD COLUMN cut_by TEXT;
