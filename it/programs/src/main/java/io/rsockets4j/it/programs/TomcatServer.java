/* SPDX-License-Identifier: Apache-2.0 */
package io.rsockets4j.it.programs;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/**
 * Tomcat, embedded: {@code GET /bytes/N}, {@code POST /digest}, and {@code GET /file}, a static file that Tomcat sends
 * by itself. Lets clients upgrade to HTTP/2.
 */
final class TomcatServer {
    private TomcatServer() { }

    /**
     * Serves until the process is ended.
     *
     * @param args an empty directory; {@code nio} or {@code nio2}; and {@code tls} for HTTPS with the key store of the
     *        system properties
     */
    public static void main(String[] args) throws IOException, LifecycleException {
        Path directory = Path.of(args[0]).toAbsolutePath();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        Connector connector = connector("org.apache.coyote.http11.Http11" + (args[1].equals("nio2") ? "Nio2" : "Nio"));
        if (List.of(args).contains("tls")) {
            secure(connector);
        }
        tomcat.setConnector(connector);
        addServlets(tomcat, directory);
        tomcat.start();
        Servers.announce(connector.getLocalPort());
        tomcat.getServer().await();
    }

    private static Connector connector(String kind) {
        Connector connector = new Connector(kind + "Protocol");
        connector.setPort(0);
        connector.setProperty("address", Servers.anyPort().getAddress().getHostAddress());
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.addUpgradeProtocol(new Http2Protocol());
        return connector;
    }

    private static void secure(Connector connector) {
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(System.getProperty("javax.net.ssl.keyStore"));
        certificate.setCertificateKeystorePassword(System.getProperty("javax.net.ssl.keyStorePassword"));
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
    }

    private static void addServlets(Tomcat tomcat, Path directory) throws IOException {
        Path files = Files.createDirectories(directory.resolve("files"));
        Files.write(files.resolve("file"), Content.bytes(Content.LARGE));
        Context context = tomcat.addContext("", files.toString());
        Tomcat.addServlet(context, "files", new DefaultServlet());
        Tomcat.addServlet(context, "service", new Service());
        context.addServletMappingDecoded("/", "files");
        context.addServletMappingDecoded("/bytes/*", "service");
        context.addServletMappingDecoded("/digest", "service");
    }

    private static final class Service extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = Content.bytes(Integer.parseInt(request.getPathInfo().substring(1)));
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write(Content.digest(request.getInputStream()));
        }
    }
}
