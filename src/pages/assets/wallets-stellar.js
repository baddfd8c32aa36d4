// Pays from Freighter, an extension for Stellar, by the messages of its own library
// (@stellar/freighter-api). It signs what our server puts together: what the payment link says, for
// the account that its owner chose.

(() => {
  const { add, tell, fill, isOpen, askOpen, find, Refused } = window.quittanceWallets;
  const KIND = 'FREIGHTER_EXTERNAL';
  const NAME = 'Freighter';
  const detailsMs = 15_000;
  /** Its owner is asked. */
  const ownerMs = 600_000;
  /** Its number of a "no". */
  const DECLINED = -4;

  const ask = async (message, ms, texts) => {
    const answer = await askOpen(KIND, message, ms, texts);
    const { apiError } = answer;
    if (apiError) throw new Refused(apiError.code === DECLINED ? texts.refused : texts.failed);
    return answer;
  };

  const post = async (path, fields, texts) => {
    const body = new URLSearchParams(fields);
    const response = await fetch(path, { method: 'POST', body });
    const isJson = /json/.test(response.headers.get('content-type'));
    const answer = isJson ? await response.json() : {};
    if (answer.kind === 'over') throw new Refused(texts.over);
    return answer;
  };

  const pay = async ({ link, network, draftPath }, texts) => {
    tell('asking', { wallet: NAME });
    const { publicKey } = await ask({ type: 'REQUEST_ACCESS' }, ownerMs, texts);
    if (!publicKey) throw new Refused(texts.refused);
    const details = await ask({ type: 'REQUEST_NETWORK_DETAILS' }, detailsMs, texts);
    const drafted = await post(draftPath, { account: publicKey }, texts);
    if (drafted.kind === 'short') {
      const account = `${publicKey.slice(0, 4)}…${publicKey.slice(-4)}`;
      throw new Refused(fill(texts.poor, { ...drafted, account }));
    }
    if (drafted.kind !== 'draft') throw new Refused(texts.failed);
    const { unsigned: transactionXdr, networkName: networkPassphrase, proof } = drafted;
    if (details.networkDetails?.networkPassphrase !== networkPassphrase) {
      throw new Refused(fill(texts.otherNetwork, { network }));
    }
    // What is due may have changed since the page was shown.
    if (drafted.link !== link || !isOpen(link)) throw new Refused(texts.over);
    const question = {
      transactionXdr,
      networkPassphrase,
      accountToSign: publicKey,
      type: 'SUBMIT_TRANSACTION',
    };
    const { signedTransaction: signed } = await ask(question, ownerMs, texts);
    if (!signed) throw new Refused(texts.refused);
    const sent = await post(draftPath, { signed, proof }, texts);
    if (sent.kind !== 'sent') throw new Refused(texts.failed);
    return sent.transaction;
  };

  find(
    KIND,
    { type: 'REQUEST_CONNECTION_STATUS' },
    ({ isConnected }) => isConnected === true,
    () =>
      add({ id: 'freighter', name: NAME, fits: (link) => /^web\+stellar:pay\?/.test(link), pay }),
  );
})();
