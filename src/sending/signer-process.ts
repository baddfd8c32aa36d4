// The signer process as somebody who signs: its answers, as what is to be told and done.
import type { SignerClient } from '#signer/client.ts';
import type { SigningPort } from './signing-port.ts';

export function signerProcess(client: Pick<SignerClient, 'sign' | 'info'>): SigningPort {
  return {
    async sign(order) {
      const answer = await client.sign(order);
      switch (answer.outcome) {
        case 'SIGNED':
        case 'AWAY':
          return answer;
        case 'REFUSED':
          return {
            outcome: 'NOT_NOW',
            reason: `the signer refuses it: ${answer.reasons.join('; ')}`,
          };
        case 'NEEDS_APPROVAL':
          return {
            outcome: 'NOT_NOW',
            reason: `the signer wants a second person: quittance sign approve ${answer.code}`,
          };
      }
    },
    async check() {
      const { keys } = await client.info();
      const names = keys.map(({ name, network }) => `${name} (${network})`);
      return names.length === 0
        ? 'the signer answers, and has no keys'
        : `the signer has ${names.join(', ')}`;
    },
  };
}
