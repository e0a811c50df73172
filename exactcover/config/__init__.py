"""YAML and KEY=VALUE in, validated configurations out."""
