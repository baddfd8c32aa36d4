import { changeLogo, getSeller } from '#account/seller.ts';
import { LOGO_BYTES_MAX, redrawLogo } from '#pages/branding/redraw-logo.ts';
import { chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';
import { pageSettingsResult } from './page-settings-result.ts';
import { readBoundedFile } from './read-bounded-file.ts';

export const merchantPageLogo: Command = {
  name: 'merchant page logo',
  summary: 'show a picture (PNG, JPEG or WebP) beside the name of a merchant',
  usage: 'FILE [--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file');
    const drawings = await redrawLogo(await readBoundedFile(path, LOGO_BYTES_MAX, 'logo'));
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    await changeLogo(app, merchantId, drawings);
    return pageSettingsResult(await getSeller(app.db, merchantId));
  },
};
