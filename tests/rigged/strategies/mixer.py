"""Mixer: any of the four throws, each as likely, with all its cards."""

from simkit.rng import below


def act(view, rules, params, rng):
    return below(rng, 4) + 4 * view.playable
