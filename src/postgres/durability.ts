// What a server must promise before money is trusted to it. The service refuses to start otherwise.
import { type Reader, sql } from '#db/db.ts';

const VERSION_MIN = 15;
const DURABLE_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** One sentence for each fault of the server; none means that a commit survives a crash. */
export async function dbIsDurable(reader: Reader): Promise<string[]> {
  const rows = await reader.query<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings
    where name = any(${[...DURABLE_SETTINGS, 'server_version_num']})`);
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const faults = DURABLE_SETTINGS.filter((name) => settings.get(name) === 'off').map(
    (name) => `the setting ${name} of the database is off: a crash would lose payments`,
  );
  const version = Math.floor(Number(settings.get('server_version_num')) / 10_000);
  if (version < VERSION_MIN)
    faults.push(`PostgreSQL ${version} is too old: ${VERSION_MIN} or later`);
  return faults;
}
