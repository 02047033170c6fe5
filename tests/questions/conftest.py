"""What tests of questions share."""

from tests.stats.conftest import no_garbage_collection as no_garbage_collection
