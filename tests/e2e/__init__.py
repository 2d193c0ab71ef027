"""What eco-mem promises, held against real agent programs and a scripted model."""
