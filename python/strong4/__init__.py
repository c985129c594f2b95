from strong4._strong4 import *
from strong4._strong4 import TableError, Position
