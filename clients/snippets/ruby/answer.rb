# Answers the questions of clients/snippets/test-client.mjs, one a line, fields in hex.
require_relative "quittance"

STDIN.each_line do |line|
  what, *fields = line.chomp.split(/ /, -1)
  fields = fields.map { |field| [field].pack("H*") }
  text = ->(at) { fields[at].dup.force_encoding("UTF-8") }
  puts case what
       when "sign" then sign_request(text[0], text[1], text[2], text[3], fields[4])
       when "verify"
         webhook_genuine?(text[0], text[1], text[2], text[3], fields[4], text[5].to_i, text[6].to_i)
       when "auth" then webhook_auth_genuine?(text[0], text[1], fields[2])
       end
end
