/** What the model of the demo understands, which is English. */
export const EXAMPLES = {
  waits: ['Transfer 500 to Bob', 'Write to Ada that the meeting moved to Friday', 'Delete the inactive records from customers', 'Buy 10 shares of Acme'],
  asks: ['Book a flight to Rome', 'File the VAT return', 'Ask me which report to send: sales, costs or staff'],
  free: ['Send an email to ada@example.com and bob@example.com and transfer 200 to Carol', "Find Ada's address", 'Make the background beige'],
};
