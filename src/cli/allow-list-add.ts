import { allowAddress } from '#account/allow-list.ts';
import { allowListCommand } from './allow-list-command.ts';

export const allowListAdd = allowListCommand(
  'allow-list add',
  'let an address or CIDR range move money out, or let only the listed ones call at all',
  allowAddress,
);
