-- Commands beside a server make links that its customers and people can open.
alter table installation add column public_url text;
comment on column installation.public_url is 'Under which address a server served last, as PUBLIC_URL and PORT said there; commands that are not told PUBLIC_URL make their links with it.';
