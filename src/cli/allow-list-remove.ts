import { forbidAddress } from '#account/allow-list.ts';
import { allowListCommand } from './allow-list-command.ts';

export const allowListRemove = allowListCommand(
  'allow-list remove',
  'take an address or CIDR range off the list',
  forbidAddress,
);
