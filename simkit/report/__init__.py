"""Turns an Answer and the facts of its run into a page, files, JSON and a terminal screen.

Nothing here computes a statistic: the numbers come from simkit.questions, this package only shows them.
"""
