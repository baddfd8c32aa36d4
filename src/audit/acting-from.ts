// From where somebody acts, for the trail: the network address of his request, as whoever took the
// request found it. Noted of people and keys, never of customers: the trail forgets nothing.

import { AsyncLocalStorage } from 'node:async_hooks';

const acting = new AsyncLocalStorage<string>();

/** What is noted while this works has the address; an empty one is none. */
export function actFrom<Done>(address: string, work: () => Done): Done {
  return address === '' ? work() : acting.run(address, work);
}

/** Undefined at the command line, and of what the service does by itself. */
export function actingFrom(): string | undefined {
  return acting.getStore();
}
