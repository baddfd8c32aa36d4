/** That of package.json; a test says so. */
export const VERSION = '0.1.0';
