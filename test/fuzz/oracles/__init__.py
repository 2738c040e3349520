"""What results are compared with, and how far they may be away."""
