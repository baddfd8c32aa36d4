// Pays from a wallet on another device or in an app of this one, over WalletConnect. Nothing of it is
// loaded before somebody clicks. The wallet is found by a link, drawn as a code; then it is asked as
// a wallet of the browser is (wallets-evm.js): what the payment link says, on its chain.

import { encode } from 'uqr';
import { RelayAway } from './walletconnect-relay.js';
import { proposeSession, SessionFault } from './walletconnect-session.js';

const SVG = 'http://www.w3.org/2000/svg';
const QUIET_MODULES = 4;
const METHOD = 'eth_sendTransaction';
const NAME = 'WalletConnect';
/** Schemes of apps that take such a link, beside that of the link itself. */
const APPS = { MetaMask: 'metamask', 'Trust Wallet': 'trust' };

const panel = () => document.getElementById('wallets');

// The place of the wallets of the browser, which is there where one was found ---------------------
const loadWallets = () =>
  new Promise((resolve, reject) => {
    if (window.quittanceWallets) return resolve();
    const waiting = document.getElementById('wallets-script');
    const script = waiting ?? document.createElement('script');
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    if (waiting) return;
    const { nonce } = document.querySelector('script[nonce]');
    Object.assign(script, { id: 'wallets-script', src: panel().dataset.script, nonce });
    document.head.append(script);
  });

// The window with the code -------------------------------------------------------------------------
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const draw = (tag, attributes, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** As the server draws codes: black on white, one path. */
const codeOf = (text, label) => {
  const { size, data } = encode(text, { ecc: 'L', border: QUIET_MODULES });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  const side = { width: size, height: size };
  return draw(
    'svg',
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label },
    draw('rect', { ...side, fill: '#fff' }),
    draw('path', { fill: '#000', 'shape-rendering': 'crispEdges', d: squares.join('') }),
  );
};

/** `closed` fails when somebody closes the window before a wallet has agreed. */
const showLink = (link, texts, fill) => {
  const { connect } = texts;
  const title = make('h2', {
    id: 'connect-title',
    textContent: fill(texts.with, { wallet: NAME }),
  });
  const close = make('button', { className: 'quiet', textContent: connect.close });
  const copy = make('button', { className: 'quiet', textContent: connect.copy });
  Object.assign(copy.dataset, { copy: link, done: connect.copied });
  const apps = Object.entries(APPS).map(([app, scheme]) =>
    make('a', {
      className: 'quiet',
      href: `${scheme}://wc?uri=${encodeURIComponent(link)}`,
      textContent: fill(connect.app, { app }),
    }),
  );
  const dialog = make(
    'dialog',
    { id: 'connect-window', className: 'large-code connect' },
    title,
    make('p', { className: 'hint', textContent: connect.scan }),
    codeOf(link, connect.scan),
    make(
      'p',
      {},
      make('a', { className: 'button', id: 'connect-link', href: link, textContent: connect.open }),
    ),
    make('p', { className: 'wallet-apps' }, ...apps),
    make('p', { className: 'ways' }, copy, close),
  );
  dialog.setAttribute('aria-labelledby', title.id);
  const closed = new Promise((_resolve, reject) => {
    dialog.addEventListener('close', () => reject(new SessionFault('closed')));
  });
  close.addEventListener('click', () => dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  const remove = () => {
    if (dialog.open) dialog.close();
    dialog.remove();
    document.querySelector('#wallet-walletconnect')?.focus({ preventScroll: true });
  };
  return { closed, remove };
};

// The payment --------------------------------------------------------------------------------------
const faultText = ({ kind }, facts, texts, fill) => {
  if (kind === 'chain') return fill(texts.missing, { network: facts.network });
  if (kind === 'late') return texts.failed;
  if (kind === 'closed') return '';
  return kind === 'ended' ? texts.connect.ended : texts[kind];
};

const payOver = async (facts, texts, { tell, fill, isOpen, orderOf, Refused }) => {
  const order = orderOf(facts.link);
  if (!order) throw new Refused(texts.failed);
  const { relay: url, projectId, name } = facts.connect;
  const icons = [`${location.origin}/images/favicon.svg`];
  const metadata = { name, description: document.title, url: location.origin, icons };
  const chain = `eip155:${BigInt(order.chainId)}`;
  let proposed;
  let session;
  try {
    proposed = await proposeSession({ url, projectId, chain, methods: [METHOD], metadata });
    const shown = showLink(proposed.link, texts, fill);
    session = await Promise.race([proposed.settled, shown.closed]).finally(shown.remove);
    const [from] = session.accounts;
    if (!from) throw new SessionFault('chain');
    if (!isOpen(facts.link)) throw new Refused(texts.over);
    tell('asking', { wallet: session.wallet || NAME });
    const hash = await session.request(METHOD, [{ from, ...order.call }]);
    if (!/^0x[0-9a-f]{64}$/i.test(hash)) throw new Refused(texts.failed);
    return hash;
  } catch (error) {
    if (error instanceof SessionFault) throw new Refused(faultText(error, facts, texts, fill));
    // A browser without these keys fails the same way as one that is kept from the relay.
    const isAway = error instanceof RelayAway || error instanceof DOMException;
    if (isAway && !session) throw new Refused(texts.connect.away);
    throw error;
  } finally {
    await session?.end();
    proposed?.close();
  }
};

await loadWallets();
const { add, act, ...hand } = window.quittanceWallets;
const wallet = {
  id: 'walletconnect',
  name: NAME,
  fits: (link) => hand.orderOf(link) !== undefined,
  pay: (facts, texts) => payOver(facts, texts, hand),
};
add(wallet);
await act(wallet);
