/** Tools of a real MCP server, in a process of its own, behind approval. */
package io.holdpoint.mcp;
