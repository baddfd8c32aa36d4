-- Colours of its own for what stands on the pages of a merchant, in light and in dark mode.
alter table merchant_page
  add column colors text[] check (cardinality(colors) <= 20
    and array_to_string(colors, ' ')
      ~ '^((light|dark)-[a-z]+(-text)?=#[0-9a-f]{6}( (light|dark)-[a-z]+(-text)?=#[0-9a-f]{6})*)?$');
comment on column merchant_page.colors is 'Such as dark-surface=#1c2226 (src/look/palette.ts); null: the colours of the service.';
