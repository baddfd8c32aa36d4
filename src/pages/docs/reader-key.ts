// The test key of whoever reads the manual while signed in to the dashboard: it stands in the code
// that he copies. Nobody's secret is shown, and who may not see keys gets none.

import type { Context } from 'hono';
import { listApiKeys } from '#access/api-key.ts';
import { readVisit, type VisitApp } from '#pages/dashboard/visit.ts';
import { listMemberships } from '#staff/person.ts';
import { mayAct } from '#staff/role.ts';

/** The newest test key of the shops that he may see keys of; undefined without one. */
export async function findReaderKey(app: VisitApp, context: Context): Promise<string | undefined> {
  if (context.req.header('cookie') === undefined) return undefined;
  const { who } = await readVisit(app, context);
  if (who === undefined) return undefined;
  const memberships = await listMemberships(app.db, who.person.id);
  for (const { merchantId, role } of memberships) {
    if (!mayAct(role, 'see-development')) continue;
    const keys = await listApiKeys(app.db, merchantId);
    const usable = keys.filter(
      ({ environment, revokedAt }) => environment === 'test' && revokedAt === null,
    );
    const newest = usable.at(-1);
    if (newest !== undefined) return newest.key;
  }
  return undefined;
}
