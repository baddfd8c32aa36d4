-- A block holds many thousand destinations, and what is looked up for each of them is mostly nothing.
-- Eight bytes of each destination of ours in order are so few pages that a block meets most of them
-- anyway: a million destinations cost little more than a thousand.
create index deposit_instruction_destination_hash
  on deposit_instruction (hashtextextended(destination, 0));
