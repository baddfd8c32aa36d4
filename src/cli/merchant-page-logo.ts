import { open } from 'node:fs/promises';
import { Refusal } from '#base/refusal.ts';
import { changeLogo } from '#merchant/change-logo.ts';
import { getSeller } from '#merchant/find-seller.ts';
import { LOGO_BYTES_MAX, redrawLogo } from '#pages/branding/redraw-logo.ts';
import { chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';
import { pageSettingsResult } from './page-settings-result.ts';

export const merchantPageLogo: Command = {
  name: 'merchant page logo',
  summary: 'show a picture (PNG, JPEG or WebP) beside the name of a merchant',
  usage: 'FILE [--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file');
    const drawings = await redrawLogo(await readLogoFile(path));
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    await changeLogo(app, merchantId, drawings);
    return pageSettingsResult(await getSeller(app.db, merchantId));
  },
};

/** One byte more than is accepted at most: a device or a film is not read to its end. */
async function readLogoFile(path: string): Promise<Uint8Array> {
  try {
    await using file = await open(path);
    const buffer = new Uint8Array(LOGO_BYTES_MAX + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Refusal('invalid', 'logo', [`${path} cannot be read: ${reason}`]);
  }
}
