"""What the servers of this folder share: the table of fences, a port on this machine, a log."""

import os
import pathlib
import socketserver
import wsgiref.simple_server

SET = "GeoLocation"
COLUMNS = ("ID", "Title", "Description", "Latitude", "Longitude", "Radius")


def rows(count, latitude, longitude):
    """The classic table of places, in the order of COLUMNS, to the north-west of a place."""
    return [(f"w{number:02}", f"Warehouse {number} & O'Neill, 50 %", f"Südtor {number}",
             latitude + number / 100, (longitude - number / 64 + 180) % 360 - 180, 100.0 + number)
            for number in range(count)]


class Server(socketserver.ThreadingMixIn, wsgiref.simple_server.WSGIServer):
    daemon_threads = True


class Handler(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


def listen():
    """A server on a port of its own, which is known before it has an application."""
    return wsgiref.simple_server.make_server(
        "127.0.0.1", 0, None, server_class=Server, handler_class=Handler)


def address(server):
    return f"http://127.0.0.1:{server.server_port}"


def tell_port(directory, port):
    """The file is there once the server answers, and whole."""
    new = pathlib.Path(directory) / "port.new"
    new.write_text(str(port))
    os.rename(new, pathlib.Path(directory) / "port")


def serve(server, application, directory):
    """Until it is killed; the log has a line per request."""
    log = open(pathlib.Path(directory) / "log", "a", buffering=1)

    def logged(environment, start):
        query = environment["QUERY_STRING"]
        log.write(environment["PATH_INFO"] + ("?" + query if query else "") + "\n")
        return application(environment, start)

    server.set_app(logged)
    tell_port(directory, server.server_port)
    server.serve_forever()
