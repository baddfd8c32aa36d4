// Logo and colour of a shop on its invoices and receipts, from the room in which they are brought
// to the file that a customer keeps: an invoice looks for ever as it did when it was issued.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { type Bill, billTokenSubject, findBill } from '#billing/bill.ts';
import { draftBill } from '#billing/draft-bill.ts';
import { cancelBill } from '#billing/issue-bill.ts';
import { pageToken } from '#checkout/page-token.ts';
import { sql } from '#db/db.ts';
import { changePageSettings } from '#merchant/seller.ts';
import { billRequest, issueNew, ownerOf, tellSender } from '#test/support/bill-fixture.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { readPdf } from '#test/support/pdf-text.ts';

let world: DashboardWorld;
let owner: DashboardBrowser;
before(async () => {
  world = await openDashboardWorld();
  owner = await world.comeAs('OWNER', 'olga');
  await world.observe('LITECOIN');
  await tellSender(world);
});
after(() => world.close());

const ORIGIN = 'http://localhost:8080';

async function fileAt(path: string): Promise<Uint8Array> {
  const answer = await world.pages.fetch(new Request(ORIGIN + path));
  assert.equal(answer.status, 200, path);
  return new Uint8Array(await answer.arrayBuffer());
}

const pdfOf = ({ id }: Bill) =>
  fileAt(`/en/invoice/${pageToken(world.app.keyring, billTokenSubject(id))}/invoice.pdf`);

async function bringLogo(background: string): Promise<void> {
  const create = { width: 400, height: 100, channels: 4, background } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const settings = `${world.shop}/settings`;
  await owner.get(settings);
  const logo = new Blob([Uint8Array.from(bytes)], { type: 'image/png' });
  assert.equal((await owner.upload(`${settings}/logo`, { logo })).status, 303);
}

async function removeLogo(): Promise<void> {
  const settings = `${world.shop}/settings`;
  await owner.get(settings);
  assert.equal((await owner.upload(`${settings}/logo`, { act: 'remove' })).status, 303);
}

/** Issued by its button. */
async function issueInRoom(): Promise<Bill> {
  const { id } = await draftBill(world.app, ownerOf(world), billRequest());
  const path = `${world.shop}/invoices/${id}`;
  await owner.get(path);
  assert.equal((await owner.submit(`${path}/issue`, {})).location, path);
  const bill = await findBill(world.app.db, world.caller, id);
  assert.ok(bill);
  return bill;
}

/** The one picture of a file, by its content; undefined: there is none. */
function pictureIn(file: Uint8Array): string | undefined {
  const { whole } = readPdf(file);
  const pictures = whole.match(/\/Subtype \/Image[\s\S]*?\n(?=<<)/g) ?? [];
  assert.ok(pictures.length <= 1);
  return pictures[0];
}

const hasFigure = (file: Uint8Array) =>
  /\/S \/Figure\n\/Alt \(\S*B.*GmbH/.test(readPdf(file).whole.replaceAll('\0', ''));

test('an invoice keeps the logo and the colour of the day on which it was issued', async () => {
  const plain = await issueInRoom();
  const plainFile = await pdfOf(plain);
  assert.equal(pictureIn(plainFile), undefined);

  await bringLogo('#7a1fa2');
  const { merchantId } = world.caller;
  await changePageSettings(world.app, merchantId, { primaryColor: '#7a1fa2' });
  const violet = await issueInRoom();
  assert.equal(violet.accent, '#7a1fa2');
  const violetFile = await pdfOf(violet);
  assert.notEqual(pictureIn(violetFile), undefined);
  assert.ok(hasFigure(violetFile), 'told to who does not see it, by the name of the sender');

  await bringLogo('#0f6b63');
  await changePageSettings(world.app, merchantId, { primaryColor: '#ffee00' });
  const green = await issueInRoom();
  assert.match(green.accent ?? '', /^#[0-9a-f]{6}$/);
  assert.notEqual(green.accent, '#ffee00', 'yellow cannot be read on white');
  assert.notEqual(pictureIn(await pdfOf(green)), pictureIn(violetFile));
  assert.deepEqual(await pdfOf(violet), violetFile);
  assert.deepEqual(await pdfOf(plain), plainFile);

  await removeLogo();
  await changePageSettings(world.app, merchantId, { primaryColor: null });
  const after = await issueInRoom();
  assert.deepEqual([after.logoHash, after.accent], [undefined, undefined]);
  assert.deepEqual(await pdfOf(violet), violetFile);
});

test('the document that cancels an invoice looks as that invoice does', async () => {
  await bringLogo('#7a1fa2');
  const bill = await issueInRoom();
  await removeLogo();
  const cancellation = await cancelBill(world.app, ownerOf(world), bill.id);
  assert.equal(cancellation.logoHash, bill.logoHash);
  assert.equal(pictureIn(await pdfOf(cancellation)), pictureIn(await pdfOf(bill)));
});

test('one logo is kept once, and neither it nor what names it is changed by anybody', async () => {
  await bringLogo('#123456');
  const [one, other] = [await issueInRoom(), await issueInRoom()];
  assert.ok(one.logoHash !== undefined);
  assert.equal(one.logoHash, other.logoHash);
  const { db } = world.app;
  const kept = await db.query(sql`select 1 from bill_logo where hash = ${one.logoHash}`);
  assert.equal(kept.length, 1);
  for (const statement of [
    sql`update bill_logo set width = 1 where hash = ${one.logoHash}`,
    sql`delete from bill_logo where hash = ${one.logoHash}`,
    sql`truncate bill_logo cascade`,
    sql`update bill set logo_hash = null where id = ${one.id}`,
    sql`update bill set accent = '#ffffff' where id = ${one.id}`,
  ]) {
    await assert.rejects(db.single((tx) => tx.query(statement)));
  }
  await removeLogo();
});

test('a receipt looks as the shop does now, since it also says what came later', async () => {
  const id = await world.create();
  await payCheckout(world, id);
  const path = `/en/checkout/${pageToken(world.app.keyring, id)}/receipt.pdf`;
  const plain = await fileAt(path);
  assert.equal(pictureIn(plain), undefined);
  await bringLogo('#7a1fa2');
  const violet = pictureIn(await fileAt(path));
  assert.notEqual(violet, undefined);
  await bringLogo('#0f6b63');
  assert.notEqual(pictureIn(await fileAt(path)), violet);
  await removeLogo();
  assert.deepEqual(await fileAt(path), plain);
});

test('an invoice that nobody gave a look is issued without one', async () => {
  await bringLogo('#7a1fa2');
  const bill = await issueNew(world);
  assert.deepEqual([bill.logoHash, bill.accent], [undefined, undefined]);
  await removeLogo();
});
