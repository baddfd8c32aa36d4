-- More languages for customers, two of them with a region or a script: pt-BR, zh-Hans.
alter table merchant_page drop constraint merchant_page_default_language_check;
alter table merchant_page add constraint merchant_page_default_language_check
  check (default_language ~ '^[a-z]{2}(-[A-Za-z]{2,4})?$');
