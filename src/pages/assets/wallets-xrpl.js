// Pays from GemWallet, an extension for the XRP Ledger, by the messages of version 3 of its own
// library (@gemwallet/api). What is sent is what the payment link says: account, tag and amount.

(() => {
  const { add, tell, fill, isOpen, askOpen, find, Refused } = window.quittanceWallets;
  const KIND = 'GEM_WALLET';
  const APP = 'gem-wallet';
  const NAME = 'GemWallet';
  /** It opens a window for each of the two. */
  const networkMs = 15_000;
  const paymentMs = 600_000;
  /**
   * It takes the closing of the window that told the network for a "no" to what is asked meanwhile.
   */
  const closingMs = 600;

  /** The numbers of the networks (`NetworkID` of servers), and the names that the wallet has. */
  const NETWORKS = { 'xrpl:0': 'Mainnet', 'xrpl:1': 'Testnet' };

  const LINK =
    /^ripple:(r[1-9A-HJ-NP-Za-km-z]{24,34})\?to=\1(?:&dt=([1-9]\d{0,9}))?&amount=(\d+)(?:\.(\d{1,6}))?$/;

  /** Undefined also for the tag 0, which the wallet takes for none. */
  const orderOf = (link) => {
    const [, destination, tag, whole, rest = ''] = LINK.exec(link) ?? [];
    if (!destination) return undefined;
    // In drops: a millionth of an XRP.
    const amount = BigInt(whole + rest.padEnd(6, '0')).toString();
    return { amount, destination, ...(tag && { destinationTag: Number(tag) }) };
  };

  const ask = (type, ms, texts, payload) =>
    askOpen(KIND, { app: APP, type, ...(payload && { payload }) }, ms, texts);

  const pay = async (facts, texts) => {
    const payload = orderOf(facts.link);
    const other = fill(texts.otherNetwork, { network: facts.network });
    tell('asking', { wallet: NAME });
    const { result: at } = await ask('REQUEST_GET_NETWORK/V3', networkMs, texts);
    const isThere = at?.chain === 'XRPL' && at.network === NETWORKS[facts.chainIdentity];
    if (!isThere) throw new Refused(other);
    await new Promise((resolve) => setTimeout(resolve, closingMs));
    if (!isOpen(facts.link)) throw new Refused(texts.over);
    const answer = await ask('REQUEST_SEND_PAYMENT/V3', paymentMs, texts, payload);
    if (answer.error) throw new Refused(texts.failed);
    if (!answer.result?.hash) throw new Refused(texts.refused);
    return answer.result.hash;
  };

  find(
    KIND,
    { app: APP, type: 'REQUEST_IS_INSTALLED/V3' },
    ({ isInstalled }) => isInstalled === true,
    () => add({ id: 'gemwallet', name: NAME, fits: (link) => Boolean(orderOf(link)), pay }),
  );
})();
