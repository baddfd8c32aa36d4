// Freighter as its extension plays it (stellar/freighter,
// extension/src/background/messageListener/freighterApiMessageListener.ts): it signs with a key that
// is given, for the network that it is on.
import { type Keypair, TransactionBuilder } from '@stellar/stellar-base';
import { type ExtensionMessage, openExtensionPage } from './extension-page.ts';

type FreighterMessage = ExtensionMessage & {
  readonly transactionXdr?: string;
  readonly networkPassphrase?: string;
  readonly accountToSign?: string;
};

type Freighter = {
  key: Keypair;
  networkPassphrase: string;
  /** Its owner says no to these. */
  refuses: readonly string[];
  /** Changes what was signed before it is given back. */
  tamper: (signed: string) => string;
};

const DECLINED = { code: -4, message: 'The user rejected this request.' };

export async function openFreighterPage(url: string, key: Keypair, networkPassphrase: string) {
  const freighter: Freighter = { key, networkPassphrase, refuses: [], tamper: (signed) => signed };
  const opened = await openExtensionPage<FreighterMessage>(url, {
    kind: 'FREIGHTER_EXTERNAL',
    answer: (message) => answer(freighter, message),
  });
  return { ...opened, freighter };
}

function answer(freighter: Freighter, { type, transactionXdr = '' }: FreighterMessage) {
  const { key, networkPassphrase, refuses, tamper } = freighter;
  if (refuses.includes(type)) return { apiError: DECLINED, error: DECLINED.message };
  switch (type) {
    case 'REQUEST_CONNECTION_STATUS':
      return { isConnected: true };
    case 'REQUEST_ACCESS':
      return { publicKey: key.publicKey() };
    case 'REQUEST_NETWORK_DETAILS':
      return { networkDetails: { network: 'TESTNET', networkName: 'Test Net', networkPassphrase } };
    case 'SUBMIT_TRANSACTION': {
      const transaction = TransactionBuilder.fromXDR(transactionXdr, networkPassphrase);
      transaction.sign(key);
      const signedTransaction = tamper(transaction.toEnvelope().toXDR('base64'));
      return { signedTransaction, signerAddress: key.publicKey() };
    }
    default:
      return null;
  }
}
