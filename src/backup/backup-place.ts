/** A folder, or a bucket of S3-compatible storage. */
export type BackupPlace = {
  /** For people: where it is. */
  readonly name: string;
  /** Names of files, also those of others. */
  list(): Promise<string[]>;
  read(file: string): Promise<AsyncIterable<Uint8Array>>;
  /** Whole or not at all, and on disk. */
  write(file: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  remove(file: string): Promise<void>;
};

/** What a backup is called, and what stands beside it. */
export const SEALED = '.age';
export const SHOWN = '.json';
