"""The table of the power cuts."""


class Cut:
    """One power cut, as a line of the table."""

    def __init__(self, phase, how):
        self.phase, self.how = phase, how
        self.unflushed = self.gone = 0
        self.announced = self.logged = self.told = self.restarts = 0
        self.ready = self.start = 0.0
        self.verdict = "not verified"

    HEAD = (" cut  phase    power cut at          blocks unflushed/lost  announced  in the log"
            "  told anew  restart  ready s  start s  verdict")

    def line(self, number):
        return (f"{number:4}  {self.phase:7}  {self.how:20}  {self.unflushed:10} / {self.gone:8}"
                f"  {self.announced:9}  {self.logged:10}  {self.told:9}  {self.restarts:7}"
                f"  {self.ready:7.1f}  {self.start:7.2f}  {self.verdict}")
