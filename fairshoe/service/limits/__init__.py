"""How much of the service one player or one address may have."""
