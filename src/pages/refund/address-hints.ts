// What the payer of a refund is told about the address that is asked for: how one looks, and where
// to find it. Prefixes are the same in every language.
import type { Environment } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';

type Forms = Readonly<Record<Environment, readonly string[]>>;

/** How addresses of a network begin: BIP-173, and Base58 of the version bytes before it. */
const OWN_FORMS: Readonly<Record<string, Forms>> = {
  BITCOIN: { live: ['bc1', '1', '3'], test: ['tb1', 'bcrt1', 'm', 'n', '2'] },
  LITECOIN: { live: ['ltc1', 'L', 'M', '3'], test: ['tltc1', 'rltc1', 'm', 'n', 'Q', '2'] },
  STELLAR: { live: ['G'], test: ['G'] },
  XRP_LEDGER: { live: ['r'], test: ['r'] },
};
const EVM_FORMS: Forms = { live: ['0x'], test: ['0x'] };

/** None of a network whose addresses begin differently. */
export function addressForms(network: string, environment: Environment): readonly string[] {
  const forms = getNetwork(network).family === 'evm' ? EVM_FORMS : OWN_FORMS[network];
  return forms?.[environment] ?? [];
}

/** In sentences; none of Lightning, whose label says it. */
export function addressHints(
  network: string,
  environment: Environment,
  { texts: { refund }, code }: PageLanguage,
): readonly string[] {
  const { type, knownBy, name } = getNetwork(network);
  if (knownBy === 'invoice') return [];
  if (type === 'BANK') return [refund.bankHint[network as keyof typeof refund.bankHint]];
  const forms = new Intl.ListFormat(code, { type: 'disjunction' }).format(
    addressForms(network, environment),
  );
  return [refund.looksLike(forms), refund.whereFrom(name)];
}
