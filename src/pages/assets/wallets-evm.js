// Pays from a wallet that announces itself on EVM chains (EIP-6963, EIP-1193), or from WebLN on
// Lightning. What is sent is what the payment link says (EIP-681, BOLT 11).

(() => {
  const { add, tell, fill, isOpen, amountText, Refused } = window.quittanceWallets;

  // The order ---------------------------------------------------------------------------------
  /** EIP-681, as our server writes it: a coin, or the function `transfer` of a token. */
  const LINK =
    /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)(?:\?value=(\d+)|\/transfer\?address=(0x[0-9a-fA-F]{40})&uint256=(\d+))$/;

  const orderOf = (link) => {
    const [, target, chain, value, receiver, tokenUnits] = LINK.exec(link) ?? [];
    if (!target) return undefined;
    const units = BigInt(value ?? tokenUnits);
    const chainId = hex(BigInt(chain));
    if (!receiver) return { chainId, units, call: { to: target, value: hex(units) } };
    // ERC-20: transfer(address,uint256).
    const data = `0xa9059cbb${word(receiver.slice(2).toLowerCase())}${word(units.toString(16))}`;
    return { chainId, units, token: target, call: { to: target, value: '0x0', data } };
  };

  // For what pays such a link in another way.
  Object.assign(window.quittanceWallets, { orderOf });

  const hex = (number) => `0x${number.toString(16)}`;
  const word = (digits) => digits.padStart(64, '0');

  // A wallet on an EVM chain --------------------------------------------------------------------
  const isUnknownChain = (error) =>
    [error?.code, error?.data?.originalError?.code].includes(4902) ||
    /unrecognized chain/i.test(error?.message ?? '');
  const isUnsupported = ({ code } = {}) => code === 4200 || code === -32601;

  const useChain = async (request, chainId, facts, texts) => {
    if (BigInt(await request('eth_chainId')) === BigInt(chainId)) return;
    tell('switching', { network: facts.network });
    try {
      await request('wallet_switchEthereumChain', [{ chainId }]);
    } catch (error) {
      if (!isUnknownChain(error)) throw error;
      if (!facts.chain) throw new Refused(fill(texts.missing, { network: facts.network }));
      // EIP-3085: the wallet shows it, and its owner decides.
      await request('wallet_addEthereumChain', [{ chainId, ...facts.chain }]);
      await request('wallet_switchEthereumChain', [{ chainId }]);
    }
    // Some wallets answer before they have changed, and some do not change at all.
    if (BigInt(await request('eth_chainId')) !== BigInt(chainId)) {
      throw new Refused(fill(texts.missing, { network: facts.network }));
    }
  };

  /** Undefined: the wallet does not say. It will find out by itself then. */
  const heldUnits = async (request, from, { token }) => {
    try {
      if (!token) return BigInt(await request('eth_getBalance', [from, 'latest']));
      // ERC-20: balanceOf(address).
      const data = `0x70a08231${word(from.slice(2).toLowerCase())}`;
      return BigInt(await request('eth_call', [{ to: token, data }, 'latest']));
    } catch {
      return undefined;
    }
  };

  /** EIP-5792 is for wallets that take no single transaction: accounts that are contracts. */
  const send = async (request, from, { chainId, call }) => {
    try {
      return await request('eth_sendTransaction', [{ from, chainId, ...call }]);
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    }
    const calls = { version: '2.0.0', from, chainId, atomicRequired: true, calls: [call] };
    await request('wallet_sendCalls', [calls]);
    return undefined;
  };

  const payBy = async ({ provider, name }, facts, texts) => {
    const order = orderOf(facts.link);
    if (!order) throw new Refused(texts.failed);
    const request = (method, params = []) => provider.request({ method, params });
    tell('asking', { wallet: name });
    const [from] = await request('eth_requestAccounts');
    if (!from) throw new Refused(texts.refused);
    await useChain(request, order.chainId, facts, texts);
    const held = await heldUnits(request, from, order);
    if (held !== undefined && held < order.units) {
      const account = `${from.slice(0, 6)}…${from.slice(-4)}`;
      const amounts = { held: amountText(held, facts), needed: amountText(order.units, facts) };
      throw new Refused(fill(texts.poor, { account, ...amounts }));
    }
    if (!isOpen(facts.link)) throw new Refused(texts.over);
    tell('asking', { wallet: name });
    return send(request, from, order);
  };

  // WebLN ---------------------------------------------------------------------------------------
  const payByWebln = async (facts, texts) => {
    tell('asking', { wallet: 'WebLN' });
    await window.webln.enable();
    if (!isOpen(facts.link)) throw new Refused(texts.over);
    await window.webln.sendPayment(facts.link.replace(/^lightning:/i, ''));
    return undefined;
  };

  if (window.webln) {
    const fits = (link) => /^lightning:/i.test(link);
    add({ id: 'webln', name: 'WebLN', text: 'browser', fits, pay: payByWebln });
  }

  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    const { uuid, name: text } = detail?.info ?? {};
    const { provider } = detail ?? {};
    if (typeof uuid !== 'string' || typeof text !== 'string' || !provider) return;
    // A name is a text of a stranger: short, and shown as text alone.
    const name = text.trim().slice(0, 40);
    const pay = (facts, texts) => payBy({ provider, name }, facts, texts);
    add({ id: uuid, name, fits: (link) => orderOf(link) !== undefined, pay });
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
})();
