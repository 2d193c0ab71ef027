"""The promises of eco-mem, held against real agent programs and a scripted model."""
