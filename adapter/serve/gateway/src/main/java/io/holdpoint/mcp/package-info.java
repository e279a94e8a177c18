/**
 * A gateway in front of MCP servers: it passes their tools on, and asks people before a call runs that somebody has to approve. An agent's
 * gate decides, stores and runs, as anywhere; nothing here does.
 */
@NullMarked
package io.holdpoint.mcp;

import org.jspecify.annotations.NullMarked;
