"""What a crooked house tries: a small file for each family of tricks."""
