"""Samples that are arrays: their operations, with the lane axes in front of a sample's own."""
