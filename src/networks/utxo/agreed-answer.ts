// One question to several Esplora servers, of which so many must say the same.
import { isDeepStrictEqual } from 'node:util';
import { Outage } from '#base/refusal.ts';
import type { EsploraClient } from './esplora-client.ts';

export type AgreeingServers = {
  readonly what: string;
  readonly clients: readonly EsploraClient[];
  /** So many servers must say the same. */
  readonly needed: number;
};

/** What at least `needed` servers answer; the others may be away or say something else. */
export async function agreed<Answer>(
  { what, clients, needed }: AgreeingServers,
  about: string,
  ask: (client: EsploraClient) => Promise<Answer>,
): Promise<Answer> {
  const answers = await Promise.allSettled(clients.map(ask));
  const given = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const same = (wanted: Answer) => given.filter((one) => isDeepStrictEqual(one, wanted)).length;
  // With more servers than needed two answers could both have enough: then there is none.
  const enough = given.filter((one) => same(one) >= needed);
  const [first] = enough;
  if (first !== undefined && enough.every((one) => isDeepStrictEqual(one, first))) return first;
  const failed = answers.find((one) => one.status === 'rejected');
  if (given.length < needed) throw failed?.reason;
  throw new Disagreement(what, `the servers disagree about ${about}`);
}

export class Disagreement extends Outage {
  constructor(what: string, sentence: string) {
    super(what, { cause: new Error(sentence) });
  }
}
