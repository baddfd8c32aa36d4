-- What was exchanged at the market of a network without an order of the house is explained as that:
-- what was given and what came are both booked.
alter table departure_part drop constraint departure_part_purpose_check;
alter table departure_part add constraint departure_part_purpose_check
  check (purpose in ('OWN', 'TRANSFER', 'OUTSIDE', 'LOST', 'CONVERSION', 'CONVERTED'));
alter table departure_part add constraint departure_part_converted_check
  check (purpose is distinct from 'CONVERTED' or got_units is not null);
comment on column departure_part.purpose is 'OWN: it stays with us (change, consolidation); TRANSFER: it carries a transfer; OUTSIDE: the operator keeps it elsewhere; LOST: stolen or sent by mistake; CONVERSION: it carried out an order of the house on the network itself; CONVERTED: it was exchanged there without an order, on the word of a person; null until that is known.';
