# fresh TEXT: a new text of the same make: its last five letters and digits are thrown anew.
fresh() {
	LIKE=$1 DICE=$(od -An -N 10 -t u2 /dev/urandom) LC_ALL=C awk 'BEGIN {
		split(ENVIRON["DICE"], dice, " ")
		like = ENVIRON["LIKE"]
		split("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789", kinds, " ")
		for (at = length(like); at > 0 && thrown < 5; at--)
			for (kind = 1; kind <= 3; kind++)
				if (index(kinds[kind], substr(like, at, 1))) {
					new = substr(kinds[kind], 1 + dice[++thrown] % length(kinds[kind]), 1)
					like = substr(like, 1, at - 1) new substr(like, at + 1)
				}
		printf "%s", like
	}'
}

# uri TEXT: as a part of a path or a query.
uri() {
	TEXT=$1 LC_ALL=C awk 'BEGIN {
		for (code = 1; code < 256; code++)
			byte[sprintf("%c", code)] = sprintf("%%%02X", code)
		text = ENVIRON["TEXT"]
		for (at = 1; at <= length(text); at++) {
			sign = substr(text, at, 1)
			printf "%s", sign ~ /[A-Za-z0-9_.~-]/ ? sign : byte[sign]
		}
	}'
}
