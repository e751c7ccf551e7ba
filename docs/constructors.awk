# For Doxygen: says of the constructors of value types, which need no comment where they stand, what they do.
/^ *class [A-Za-z]+/ { split($0, words, /[ :{;]+/); for (i in words) if (words[i] == "class") name = words[i + 1] }
$0 ~ "^ +(constexpr |explicit )*" name "\\(" && $0 !~ /= delete/ && !documented {
  print ($0 ~ name "\\(\\)" ? "  /// The defaults of all members." : "  /// Fills the members of these names.")
}
{ documented = /^ *\/\/\// ; print }
